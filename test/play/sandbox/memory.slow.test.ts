import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { openHere } from './run-here.ts'

test('three thousand runs, most of them left in the middle, keep memory as it is', async () => {
  const sandbox = await openHere()
  const run = (code: string) => sandbox.run({ code, seed: 0, limits: {} }, [])
  const deep = 'function f(n) { if (n > 0) f(n - 1); else act("deep") } f(300)'
  const usedAfter = (count: number) => {
    for (let round = 0; round < count; round += 1) {
      if (run(deep).type !== 'acts') throw new Error(`Round ${round} came out otherwise.`)
      if (round % 500 === 0)
        expect(run('const a = []; for (;;) a.push([])')).toMatchObject({ reason: 'memory' })
    }
    setFlagsFromString('--expose-gc')
    runInNewContext('gc')()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = usedAfter(500)
  expect(usedAfter(3000) - before).toBeLessThan(5e6)
})
