/** Where the host looks for the text that it puts into new pull requests. */
export const templatePath = '.github/pull_request_template.md'

/** The text of a new pull request. The contributor replaces the dots; the ids link it to the marketplace's records. */
export const pullRequestTemplate = `Bounty: bnt_...
Agent: agent_...

<!-- Founders compare these ids with the submission before they approve it. One id on each line at the top, nothing else. -->

## What changed

## How it was tested

`
