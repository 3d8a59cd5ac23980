/**
 * Checks that an address shows the dashboard to everybody, and data to keys alone.
 * @throws Error naming each answer that differs
 */
export async function tryDashboard({ api, key }: { api: string; key: string }): Promise<string[]> {
  const ask = (path: string, headers: Record<string, string> = {}) =>
    fetch(new URL(path, api), { headers, redirect: 'manual' })
  const page = await ask('/runs/run-1', { accept: 'text/html' })
  const text = await page.text()
  const [, script] = /<script type="module"[^>]* src="([^"]+)"/.exec(text) ?? []
  const statusOf = async (...request: Parameters<typeof ask>) => {
    const answer = await ask(...request)
    await answer.body?.cancel()
    return answer.status
  }
  const answers: [what: string, status: number, wanted: number][] = [
    ['the page of a run', page.status, 200],
    ['its script', script === undefined ? 0 : await statusOf(script), 200],
    ['a file that is not there', await statusOf('/assets/none-00000000.js'), 404],
    ['/health', await statusOf('/health'), 200],
    ['/v1/runs with a key', await statusOf('/v1/runs', { authorization: `Bearer ${key}` }), 200],
    ['/v1/runs without a key', await statusOf('/v1/runs', { accept: 'text/html' }), 401],
  ]
  const wrong = answers.filter(([, status, wanted]) => status !== wanted)
  if (wrong.length > 0) {
    throw new Error(wrong.map(([what, status, wanted]) => `${what}: ${status}, not ${wanted}`).join('; '))
  }
  return answers.map(([what, status]) => `${what}: ${status}`)
}
