// A contact in a campaign with one step, over the client that ogen generates. Prints what it found as JSON.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"os"
	"strconv"

	"example.com/program/outreach"
)

type apiKey string

func (key apiKey) Authorization(context.Context, outreach.OperationName) (outreach.Authorization, error) {
	return outreach.Authorization{Token: string(key)}, nil
}

func must[Result any](result Result, err error) Result {
	if err != nil {
		panic(err)
	}
	return result
}

func codeOf(err error) outreach.ErrorErrorCode {
	var failure *outreach.FailureStatusCodeWithHeaders
	if !errors.As(err, &failure) {
		panic(err)
	}
	return failure.Response.Error.Code
}

func main() {
	ctx := context.Background()
	name := os.Getenv("CLIENT_NAME")
	account := must(strconv.Atoi(os.Getenv("OUTREACH_ACCOUNT")))
	client := must(outreach.NewClient(os.Getenv("OUTREACH_API"), apiKey(os.Getenv("OUTREACH_API_KEY"))))
	email := outreach.EmailAddress(name + "@example.org")
	create := func(email outreach.EmailAddress) (outreach.ContactsCreateRes, error) {
		return client.ContactsCreate(ctx, &outreach.ContactsCreateReq{Email: email}, outreach.ContactsCreateParams{})
	}
	contact := must(create(email)).(*outreach.Contact)
	rename := outreach.NewOptContactsUpdateReq(outreach.ContactsUpdateReq{Name: outreach.NewOptString("Ada")})
	renamed := must(client.ContactsUpdate(ctx, rename, outreach.ContactsUpdateParams{ID: contact.ID})).(*outreach.Contact)
	page := must(client.ContactsList(ctx, outreach.ContactsListParams{Email: outreach.NewOptEmailAddress(email)})).Response
	newCampaign := &outreach.CampaignsCreateReq{Name: outreach.Name(name), AccountID: account}
	campaign := must(client.CampaignsCreate(ctx, newCampaign, outreach.CampaignsCreateParams{}))
	newStep := &outreach.StepsCreateReq{Subject: outreach.NewOptString("Hello"), BodyHTML: "<p>Hello</p>"}
	step := must(client.StepsCreate(ctx, newStep, outreach.StepsCreateParams{ID: campaign.ID}))
	chosen := outreach.NewOptEnrolmentsEnrolReq(outreach.EnrolmentsEnrolReq{ContactIds: []int{contact.ID}})
	enrolled := must(client.EnrolmentsEnrol(ctx, chosen, outreach.EnrolmentsEnrolParams{ID: campaign.ID}))
	enrolments := must(client.EnrolmentsList(ctx, outreach.EnrolmentsListParams{ID: campaign.ID})).Response
	stats := must(client.EventsStats(ctx, outreach.EventsStatsParams{ID: campaign.ID})).Response
	_, missing := client.ContactsGet(ctx, outreach.ContactsGetParams{ID: 999_999})
	_, refused := create("no address")
	must(0, client.ContactsDelete(ctx, outreach.ContactsDeleteParams{ID: contact.ID}))
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
		"missing":   codeOf(missing),
		"refused":   codeOf(refused),
		"deleted":   204,
	}))
}
