import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A site whose links and buttons open tabs of all kinds. Its documents arrive after `delay` milliseconds. */
export interface TabSite {
  host: string
  delay: number
  close(): void
}

const links = `<a id="quiet" href="/page" target="_blank">Quiet</a>
<a id="opener" href="/page" target="_blank" rel="opener">Opener</a>
<a id="file" href="/file" target="_blank">File</a>
<a id="nothing" href="/nothing" target="_blank">Nothing</a>
<button id="here" onclick="location.replace('/page')">Here</button>
<a id="fileHere" href="/file">File here</a>
<a id="never" href="/never">Never</a>
<a id="neverTab" href="/never" target="_blank">Never in a tab</a>
<a id="unfinished" href="/unfinished">Unfinished</a>
<button id="open" onclick="window.open('/page')">Open</button>
<button id="moved" onclick="const tab = window.open(''); tab.location = '/page'">Moved</button>
<button id="flash" onclick="window.open('/page').close()">Flash</button>
<button id="brief" onclick="window.open('/brief')">Brief</button>
<button id="close" onclick="window.close()">Close</button>
<form action="/page" target="_blank"><button id="form">Form</button></form>`

export async function openTabSite(): Promise<TabSite> {
  const server = createServer(({ url = '/' }, answer) => {
    const path = url.replace(/\?.*/, '')
    if (path === '/never') return
    if (path === '/unfinished') {
      answer.setHeader('content-type', 'text/html')
      answer.end(`<!doctype html><title>unfinished</title>${links}<img src="/never">`)
      return
    }
    setTimeout(() => {
      if (path === '/nothing') answer.writeHead(204).end()
      else if (path === '/file')
        answer.writeHead(200, { 'content-disposition': 'attachment; filename=a.zip' }).end('PK')
      else
        answer
          .writeHead(200, { 'content-type': 'text/html' })
          .end(
            `<!doctype html><title>page</title>${links}${path === '/brief' ? '<script>close()</script>' : ''}`,
          )
    }, site.delay)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const close = () => {
    server.closeAllConnections()
    server.close()
  }
  const site = { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, delay: 0, close }
  return site
}
