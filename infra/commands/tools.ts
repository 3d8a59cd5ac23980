import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { projectRoot } from '../bundling.ts'
import { type Account, openAccount } from './account.ts'

export interface Tools {
  note(text: string): void
  ask(question: string): Promise<string | null>
  cdk(words: string[]): Promise<number>
  hasDocker(): Promise<boolean>
  account: Account
}

export function processTools(): Tools {
  return {
    note: (text) => void process.stderr.write(`${text}\n`),
    async ask(question) {
      if (!process.stdin.isTTY) return null
      const prompt = createInterface({ input: process.stdin, output: process.stderr })
      try {
        return (await prompt.question(question)).trim()
      } finally {
        prompt.close()
      }
    },
    cdk(words) {
      const command = dirname(createRequire(import.meta.url).resolve('aws-cdk/package.json'))
      return run(process.execPath, [join(command, 'bin', 'cdk'), ...words], 'inherit')
    },
    hasDocker: async () => (await run(process.env.CDK_DOCKER ?? 'docker', ['info'], 'ignore')) === 0,
    account: openAccount(process.env),
  }
}

function run(command: string, words: string[], output: 'inherit' | 'ignore'): Promise<number> {
  const environment = { ...process.env, CDK_DISABLE_VERSION_CHECK: '1' }
  return new Promise((resolve) => {
    const child = spawn(command, words, { cwd: projectRoot, stdio: output, env: environment })
    child.once('error', () => resolve(127))
    child.once('exit', (code) => resolve(code ?? 1))
  })
}
