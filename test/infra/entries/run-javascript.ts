import { openSandbox } from '../../../shared/sandbox/open-sandbox.ts'

/** Runs a program in the sandbox, as a worker does. */
export async function handler(code: string): Promise<string> {
  const sandbox = await openSandbox()
  return JSON.stringify(sandbox.run({ code, seed: 0 }, []))
}
