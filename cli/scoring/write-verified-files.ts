import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { ApiClient } from '../../shared/core/client/api-client.ts'
import { EspalierError } from '../../shared/core/contracts/errors.ts'
import type { Run } from '../../shared/core/contracts/run.ts'
import type { Trajectory } from '../../shared/core/contracts/trajectory.ts'
import { wholeTrace } from '../../shared/environments/webarena/verified/stored-trace.ts'
import { verifiedTaskSchema } from '../../shared/environments/webarena/verified/verified-task.ts'
import { endedEpisodes, findTrajectory } from './score-episodes.ts'

export interface VerifiedFiles {
  written: number
  left_out: { episode: string; task: string; reason: string }[]
}

/**
 * Writes the answer and the requests of each ended episode as WebArena-Verified's own runner does: its `eval-tasks` and
 * `create-submission-pkg` read the folder. A task's `run_config.json` has the addresses of the sites that were played.
 * Several epochs get a folder each.
 * @param folder new or empty
 */
export async function writeVerifiedFiles(
  client: Pick<ApiClient, 'episodes' | 'trajectory'>,
  run: Run,
  folder: string,
  { onProgress, signal }: { onProgress?: (state: VerifiedFiles) => void; signal: AbortSignal },
): Promise<VerifiedFiles> {
  const state: VerifiedFiles = { written: 0, left_out: [] }
  for await (const { epoch, id, task } of endedEpisodes(client, run.id)) {
    signal.throwIfAborted()
    const trajectory = await findTrajectory(client, run.id, id)
    try {
      if (typeof trajectory === 'string') throw new EspalierError('environment_failed', trajectory)
      await writeTask(run.request.epochs > 1 ? join(folder, `epoch-${epoch}`) : folder, trajectory)
      state.written += 1
    } catch (error) {
      if (!EspalierError.isInstance(error)) throw error
      state.left_out.push({ episode: id, task, reason: error.message })
    }
    onProgress?.(state)
  }
  return state
}

async function writeTask(folder: string, trajectory: Trajectory): Promise<void> {
  const { log } = await wholeTrace(trajectory)
  const { _espalier: own, ...archive } = log
  const place = join(folder, String(verifiedTaskSchema.parse(own.task).task_id))
  const environments = Object.fromEntries(
    Object.entries(own.sites).map(([name, address]) => [`__${name.toUpperCase()}__`, { urls: [address] }]),
  )
  const files = {
    'agent_response.json': own.response,
    'network.har': JSON.stringify({ log: archive }),
    'run_config.json': JSON.stringify({ environments }),
  }
  await mkdir(place, { recursive: true })
  for (const [name, text] of Object.entries(files)) await writeFile(join(place, name), text)
}
