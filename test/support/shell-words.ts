import { execFileSync } from 'node:child_process'

export interface Call {
  words: string[]
  input: string
}

/**
 * The words that a POSIX shell gives each command of a script, which calls `name` and nothing else, and what stands on its
 * standard input.
 */
export function shellWords(name: string, scripts: readonly string[]): Call[] {
  const show = `${name}() { for word in "$@"; do printf '%s\\0' "$word"; done; if [ "$last" = heredoc ]; then printf '\\1\\0'; cat; printf '\\0'; fi; printf '\\2\\0'; }`
  const whole = scripts
    .map((script) => `last=${script.includes('<<') ? 'heredoc' : 'none'}\n${script}`)
    .join('\n')
  const out = execFileSync('sh', ['-c', `${show}\n${whole}`], { encoding: 'utf8', maxBuffer: 1 << 26 })
  return out
    .split('\u0002\0')
    .slice(0, -1)
    .map((text) => {
      const [words = '', input = ''] = text.split('\u0001\0')
      return { words: words.split('\0').slice(0, -1), input: input.slice(0, -1) }
    })
}
