import { getQuickJS } from 'quickjs-emscripten'

/** Runs JavaScript in QuickJS, as a sandbox does. */
export async function handler(code: string): Promise<string> {
  const quickJs = await getQuickJS()
  return JSON.stringify(quickJs.evalCode(code))
}
