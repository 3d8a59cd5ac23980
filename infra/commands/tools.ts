import { type ChildProcess, spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline/promises'
import { projectRoot } from '../bundling.ts'
import { type Account, openAccount } from './account.ts'

export interface Tools {
  note(text: string): void
  ask(question: string): Promise<string | null>
  /** Runs the CDK. `said` is the end of its messages, which it also shows. */
  cdk(words: string[]): Promise<{ code: number; said: string }>
  hasDocker(): Promise<boolean>
  isArm: boolean
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
      return runShown(process.execPath, [join(command, 'bin', 'cdk'), ...words])
    },
    hasDocker: async () => (await run(process.env.CDK_DOCKER ?? 'docker', ['info'])) === 0,
    isArm: process.arch === 'arm64',
    account: openAccount(process.env),
  }
}

const mostSaid = 200_000

function runShown(command: string, words: string[]): Promise<{ code: number; said: string }> {
  const isTerminal = process.stderr.isTTY === true
  const environment = {
    ...process.env,
    CDK_DISABLE_VERSION_CHECK: '1',
    ...(isTerminal && { FORCE_COLOR: '1' }),
  }
  const child = spawn(command, words, {
    cwd: projectRoot,
    stdio: ['inherit', 'inherit', 'pipe'],
    env: environment,
  })
  let said = ''
  child.stderr.on('data', (text: Buffer) => {
    process.stderr.write(text)
    said = `${said}${text}`.slice(-mostSaid)
  })
  return ended(child).then((code) => ({ code, said }))
}

function run(command: string, words: string[]): Promise<number> {
  return ended(spawn(command, words, { cwd: projectRoot, stdio: 'ignore' }))
}

function ended(child: ChildProcess): Promise<number> {
  return new Promise((resolve) => {
    child.once('error', () => resolve(127))
    child.once('close', (code) => resolve(code ?? 1))
  })
}
