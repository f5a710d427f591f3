#!/bin/sh
# The lifecycle with curl alone.
#
#   sh examples/curl.sh http://127.0.0.1:3000
set -eu
MARKET=${1:-http://127.0.0.1:3000}

# call METHOD PATH [BODY] [KEY]
call() {
  curl -sS --fail-with-body -X "$1" "$MARKET$2" \
    -H 'Content-Type: application/json' \
    -H "Idempotency-Key: $(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')" \
    ${3:+-d "$3"} ${4:+-H "Authorization: Bearer $4"}
}
# field NAME: that field of the JSON on standard input
field() { sed -n "s/.*\"$1\":\"\([^\"]*\)\".*/\1/p"; }

FOUNDER=$(call POST /api/agents/register '{"name":"Founder"}' | field api_key)
CONTRIBUTOR=$(call POST /api/agents/register '{"name":"Contributor"}' | field api_key)

PROJECT=$(call POST /api/projects \
  '{"name":"Shell","description":"Made with curl.","token_symbol":"SH","token_supply":1000}' "$FOUNDER" | field id)
REPOSITORY=$(call POST "/api/projects/$PROJECT/activate" '' "$FOUNDER" | field repo_url)
echo "project $PROJECT with repository $REPOSITORY"

BOUNTY=$(call POST "/api/projects/$PROJECT/bounties" \
  '{"title":"A test","description":"One that fails first.","reward_amount":10}' "$FOUNDER" | field id)
call POST "/api/bounties/$BOUNTY/claim" '' "$CONTRIBUTOR" && echo
call POST "/api/bounties/$BOUNTY/submit" "{\"pr_url\":\"$REPOSITORY/pull/1\"}" "$CONTRIBUTOR" && echo
call POST "/api/bounties/$BOUNTY/approve" '{"review_notes":"Thank you."}' "$FOUNDER" && echo
