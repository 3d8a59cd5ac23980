import { openClient } from '../cli/open-client.ts'
import { openService } from '../local/open-service.ts'
import { exampleEnvironment } from '../shared/core/contracts/example-environment.ts'
import type { RunRequestInput } from '../shared/core/contracts/run.ts'

const { signal } = new AbortController()
const base = {
  environment: exampleEnvironment,
  model: { endpoint: 'simulated', id: 'simulated' },
} as const

export async function playRun(folder: string, request: Partial<RunRequestInput>): Promise<string> {
  const service = await openService({ folder, port: 0, log: () => undefined })
  try {
    const client = openClient({ address: service.address, fetcher: fetch, signal })
    const { id } = await client.createRun({ ...base, ...request } as RunRequestInput, `bench-${request.name}`)
    while (['queued', 'running'].includes((await client.run(id)).status))
      await new Promise((resolve) => setTimeout(resolve, 100))
    return id
  } finally {
    await service.close({ grace: 1 })
  }
}
