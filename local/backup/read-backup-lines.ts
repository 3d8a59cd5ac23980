import type { Readable } from 'node:stream'

// Not node:readline, which also ends lines at U+2028 and U+2029. JSON may contain these inside texts.
export async function* readBackupLines(stream: Readable): AsyncGenerator<string> {
  let rest = ''
  for await (const chunk of stream.setEncoding('utf8')) {
    const [first = '', ...others] = String(chunk).split('\n')
    rest += first
    for (const next of others) {
      yield rest
      rest = next
    }
  }
  if (rest !== '') yield rest
}
