// A contact in a campaign with one step, over the client that oapi-codegen generates. Prints what it found as JSON.
package main

import (
	"context"
	"encoding/json"
	"net/http"
	"os"
	"strconv"

	"example.com/program/outreach"
)

func must[Result any](result Result, err error) Result {
	if err != nil {
		panic(err)
	}
	return result
}

func main() {
	ctx := context.Background()
	name := os.Getenv("CLIENT_NAME")
	account := must(strconv.Atoi(os.Getenv("OUTREACH_ACCOUNT")))
	withKey := outreach.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("OUTREACH_API_KEY"))
		return nil
	})
	client := must(outreach.NewClientWithResponses(os.Getenv("OUTREACH_API"), withKey))
	email, ada, subject := outreach.EmailAddress(name+"@example.org"), "Ada", "Hello"
	contact := must(client.ContactsCreateWithResponse(ctx, nil, outreach.ContactsCreateJSONRequestBody{Email: email})).JSON201
	renamed := must(client.ContactsUpdateWithResponse(ctx, contact.Id, nil, outreach.ContactsUpdateJSONRequestBody{Name: &ada})).JSON200
	page := must(client.ContactsListWithResponse(ctx, &outreach.ContactsListParams{Email: &email})).JSON200
	campaign := must(client.CampaignsCreateWithResponse(ctx, nil, outreach.CampaignsCreateJSONRequestBody{Name: name, AccountId: account})).JSON201
	newStep := outreach.StepsCreateJSONRequestBody{Subject: &subject, BodyHtml: "<p>Hello</p>"}
	step := must(client.StepsCreateWithResponse(ctx, campaign.Id, nil, newStep)).JSON201
	ids := []int{contact.Id}
	enrolled := must(client.EnrolmentsEnrolWithResponse(ctx, campaign.Id, nil, outreach.EnrolmentsEnrolJSONRequestBody{ContactIds: &ids})).JSON200
	enrolments := must(client.EnrolmentsListWithResponse(ctx, campaign.Id, nil)).JSON200
	stats := must(client.EventsStatsWithResponse(ctx, campaign.Id, nil)).JSON200
	missing := must(client.ContactsGetWithResponse(ctx, 999_999, nil)).JSONDefault
	refused := must(client.ContactsCreateWithResponse(ctx, nil, outreach.ContactsCreateJSONRequestBody{Email: "no address"})).JSONDefault
	deleted := must(client.ContactsDeleteWithResponse(ctx, contact.Id, nil))
	must(0, json.NewEncoder(os.Stdout).Encode(map[string]any{
		"email":     contact.Email,
		"name":      renamed.Name,
		"company":   renamed.Company,
		"total":     page.Pagination.Total,
		"campaign":  campaign.Status,
		"step":      step.StepOrder,
		"enrolled":  enrolled.Enrolled,
		"enrolment": enrolments.Data[0].Status,
		"contacts":  stats.Contacts,
		"sent":      stats.Sent,
		"missing":   missing.Error.Code,
		"refused":   refused.Error.Code,
		"deleted":   deleted.StatusCode(),
	}))
}
