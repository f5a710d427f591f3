/** `/docs`: a frame for Swagger UI; everything it needs comes from this server, and no script stands in the page. */
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
<noscript>This page needs JavaScript. The same is in <a href="/openapi.json">openapi.json</a> and <a href="/skill.md">skill.md</a>.</noscript>
</body>
</html>
`

/**
 * Starts the page. Each Execute gets an Idempotency-Key of its own unless the visitor has typed one: whoever sends
 * somebody else's key gets somebody else's response. (`randomUUID` exists on https and localhost alone.)
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
    const writes = ['POST', 'PATCH'].includes(String(request.method).toUpperCase())
    const names = Object.keys(request.headers ?? {}).map((name) => name.toLowerCase())
    if (writes && !names.includes('idempotency-key')) request.headers['Idempotency-Key'] = newKey()
    return request
  },
  // The default would ask a server elsewhere.
  validatorUrl: 'none',
})
`

/** The files of swagger-ui-dist that the page loads. */
export const docsAssets: readonly string[] = ['favicon-32x32.png', 'swagger-ui-bundle.js', 'swagger-ui.css']

/** What the page may load and talk to: this server. Nothing in it is inline. */
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
