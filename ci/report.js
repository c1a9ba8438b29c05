import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

/**
 * `node ci/report.js FOLDER`: prints the slowest test files, the failures, and as its last line `N passed, N failed, N skipped`. The folder
 * contains the exit status of each part of a run, NAME.status, and for a part that runs tests the report of vitest, NAME.json.
 */
const [folder = '.'] = process.argv.slice(2);
const count = { passed: 0, failed: 0, skipped: 0 };
const failures = [];
const read = (file) => readFileSync(`${folder}/${file}`, 'utf8');
const fail = (where, what, messages = []) => {
  count.failed++;
  failures.push(`\nFAILED ${where}: ${what}\n${messages.join('\n').slice(0, 3_000)}`);
};

for (const part of readdirSync(folder).flatMap((file) => /^(.*)\.status$/.exec(file)?.[1] ?? [])) {
  const status = Number(read(`${part}.status`));
  const before = count.failed;
  if (existsSync(`${folder}/${part}.json`)) countTests(part, read(`${part}.json`));
  // An error outside of every test fails a run, too.
  if (status !== 0 && count.failed === before) fail(part, `exit status ${status}`);
}
for (const failure of failures) console.log(failure);
console.log(`\n${count.passed} passed, ${count.failed} failed, ${count.skipped} skipped`);
process.exitCode = count.failed === 0 ? 0 : 1;

function countTests(part, report) {
  if (report === '') return fail(part, 'no report');
  const { numPassedTests, numPendingTests, numTodoTests, testResults } = JSON.parse(report);
  count.passed += numPassedTests;
  count.skipped += numPendingTests + numTodoTests;
  for (const { name, status, message, assertionResults } of testResults) {
    const failed = assertionResults.filter((test) => test.status === 'failed');
    for (const test of failed) fail(name, test.fullName, test.failureMessages);
    // The file could not be loaded, or one of its hooks failed.
    if (status === 'failed' && failed.length === 0) fail(name, 'outside of its tests', [message]);
  }
  const seconds = ({ startTime, endTime }) => (endTime - startTime) / 1_000;
  const slowest = testResults.toSorted((one, other) => seconds(other) - seconds(one)).slice(0, 10);
  console.log(`\nSlowest files of ${part}, in seconds`);
  for (const result of slowest) console.log(`${seconds(result).toFixed(1).padStart(7)}  ${relative('', result.name)}`);
}
