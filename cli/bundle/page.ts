import { html, raw } from 'hono/html'

export type Markup = ReturnType<typeof html>

const style = `
:root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:light-dark(#fff,#14171a);color:light-dark(#1a1d20,#e6e8ea)}
a{color:light-dark(#0b4fb3,#9cc3ff)}
body{max-width:76rem;margin:0 auto;padding:1rem;overflow-wrap:anywhere}
h1{font-size:1.5rem}h2{font-size:1.2rem;margin-top:2rem}
table{border-collapse:collapse;font-variant-numeric:tabular-nums}
th,td{padding:.25rem .75rem .25rem 0;text-align:left;vertical-align:top;overflow-wrap:normal;border-bottom:1px solid #8885}
.scroll{overflow-x:auto}
pre{white-space:pre-wrap;background:#8881;padding:.5rem;margin:.25rem 0;border-radius:.25rem}
ul.tree{list-style:none;padding-left:1.25rem;border-left:1px solid #8885;margin:.25rem 0}
summary{cursor:pointer}.path>summary{font-weight:600}.facts{color:light-dark(#4a5058,#b4bac1);font-size:.9rem;font-weight:400}
.notice{padding:.5rem .75rem;border-left:3px solid;margin:1rem 0}`

export async function renderPage(title: string, body: Markup): Promise<string> {
  const policy = "default-src 'none'; style-src 'unsafe-inline'"
  const page = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<title>${title}</title>
<style>${raw(style)}</style>
</head>
<body>
${body}
</body>
</html>
`
  return String(page)
}

export function renderTable(caption: string, headings: string[], rows: (string | Markup)[][]): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<thead><tr>${headings.map((heading) => html`<th scope="col">${heading}</th>`)}</tr></thead>
<tbody>${rows.map((row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>\n`)}</tbody>
</table></div>`
}
