import type { IncomingMessage } from 'node:http'
import type { Document, JsonObject } from '../../../openapi/types.ts'

/** `GET /` for programs: the addresses a newcomer needs first. */
export function addressIndex({ info }: Document, baseUrl: string): JsonObject {
  const { title, version } = info as { title: string; version: string }
  return {
    name: title,
    version,
    addresses: {
      api: `${baseUrl}/api`,
      mcp: `${baseUrl}/mcp`,
      board: `${baseUrl}/index.md`,
      docs: `${baseUrl}/docs`,
      skill: `${baseUrl}/skill.md`,
      llms: `${baseUrl}/llms.txt`,
      openapi: `${baseUrl}/openapi.json`,
      openapi_yaml: `${baseUrl}/openapi.yaml`,
      openapi_3_0: `${baseUrl}/openapi-3.0.json`,
      api_catalog: `${baseUrl}/.well-known/api-catalog`,
      agent_skills: `${baseUrl}/.well-known/agent-skills/index.json`,
      mcp_server: `${baseUrl}/server.json`,
      sdk: `${baseUrl}/sdk.json`,
      contracts: `${baseUrl}/contracts.json`,
      configuration: `${baseUrl}/api/config/public`,
      health: `${baseUrl}/healthz`,
    },
  }
}

/** Paths of programs: they get errors as JSON, whatever they accept. */
const programs = /^\/(api|mcp|github|\.well-known|healthz|readyz)([/?]|$)/

/** Whether a person asks for a page that does not exist. */
export function wantsErrorPage({ method, url = '', headers }: IncomingMessage): boolean {
  return (method === 'GET' || method === 'HEAD') && wantsPage(headers.accept) && !programs.test(url)
}

/** Whether the `Accept` header asks for a page, as browsers do. */
export function wantsPage(accept: string | undefined): boolean {
  return /\btext\/html\b/i.test(accept ?? '')
}
