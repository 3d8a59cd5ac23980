/**
 * What CloudFront runs at each request for the dashboard: an address that names no file is the page's, which draws what the
 * address says. Files lie in the root and in `assets/`, so that names in addresses may hold dots. It is JavaScript that
 * CloudFront's own runtime reads.
 */
export const leadToPage = `function handler(event) {
  var request = event.request
  var isFile = request.uri.indexOf('/assets/') === 0 || /^\\/[^\\/]+\\.[a-z0-9]+$/.test(request.uri)
  if (!isFile) request.uri = '/index.html'
  return request
}`
