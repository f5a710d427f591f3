/** `/docs`: the page of Swagger UI. It loads everything from this server and has no inline script. */
export const docsPage = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Bounty marketplace API</title>
<link rel="stylesheet" href="/docs/assets/swagger-ui.css">
<link rel="icon" type="image/png" href="/docs/assets/favicon-32x32.png">
<script src="/docs/assets/swagger-ui-bundle.js" defer></script>
<script src="/docs/start.js" defer></script>
</head>
<body>
<main id="reference"></main>
<noscript>This page needs JavaScript. <a href="/openapi.json">openapi.json</a> and <a href="/skill.md">skill.md</a> do not.</noscript>
</body>
</html>
`

/**
 * Starts the page. Each Execute sends a new Idempotency-Key unless the visitor has typed one, because a reused key returns
 * an earlier response. (`randomUUID` exists on https and localhost only.)
 */
export const docsScript = `const newKey = () =>
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('')

SwaggerUIBundle({
  url: '/openapi.json',
  dom_id: '#reference',
  deepLinking: true,
  defaultModelsExpandDepth: 0,
  displayOperationId: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  requestInterceptor(request) {
    const writes = ['POST', 'PATCH', 'DELETE'].includes(String(request.method).toUpperCase())
    const names = Object.keys(request.headers ?? {}).map((name) => name.toLowerCase())
    if (writes && !names.includes('idempotency-key')) request.headers['Idempotency-Key'] = newKey()
    return request
  },
  // The default sends the document to another server.
  validatorUrl: 'none',
})
`

/** The files of Swagger UI that the page loads. */
export const docsAssets: readonly string[] = ['favicon-32x32.png', 'swagger-ui-bundle.js', 'swagger-ui.css']

/** The page may load from and connect to this server only, and runs nothing inline. */
export const docsPolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
