import type { WrittenRequest } from './curl-command.ts'
import { safeJson } from './safe-json.ts'

export function typescriptProgram({ body, needsKey, url }: WrittenRequest): string {
  const headers = [
    ...(needsKey ? ["    Authorization: 'Bearer ' + process.env.ESPALIER_API_KEY,"] : []),
    "    'Content-Type': 'application/json',",
  ].join('\n')
  return `const response = await fetch(${JSON.stringify(url)}, {
  method: 'POST',
  headers: {
${headers}
  },
  body: JSON.stringify(${safeJson(body).replaceAll('\n', '\n  ')}),
})
const answer = (await response.json()) as { id: string; error?: { message: string } }
if (!response.ok) throw new Error(answer.error?.message)
console.log(answer.id)

export {}
`
}
