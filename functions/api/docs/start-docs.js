// Runs in the browser. A file of its own, because the page's content security policy allows no inline script.
window.addEventListener('load', () => {
  window.SwaggerUIBundle({
    url: '/openapi.json',
    dom_id: '#docs',
    deepLinking: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    // The badge would send the document to a server of the project's authors.
    validatorUrl: null,
  })
})
