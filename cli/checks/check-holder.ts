import { EspalierError } from '../../shared/core/contracts/errors.ts'
import { isFolderLocked } from '../../shared/core/world/local/folder-lock.ts'
import { readLastHolder, type ServiceFile } from '../../shared/core/world/local/service-file.ts'
import { type Check, fail, ok, warn } from './check.ts'

interface HolderCheck {
  check: Check
  address: string | null
  word?: string | undefined
}

export async function checkHolder(folder: string): Promise<HolderCheck> {
  try {
    return await findHolder(folder)
  } catch (error) {
    if (!EspalierError.isInstance(error)) throw error
    return { check: fail('holder', error.message, 'No service opens the folder as it is.'), address: null }
  }
}

async function findHolder(folder: string): Promise<HolderCheck> {
  if (!isFolderLocked(folder)) {
    return { check: ok('holder', 'none; commands open the service in their own process'), address: null }
  }
  const holder = await readLastHolder(folder)
  if (holder?.address) {
    const message = `process ${holder.pid} serves it at ${holder.address} since ${holder.started_at}`
    return { check: ok('holder', message), address: holder.address, word: holder.word }
  }
  return { check: starting(holder), address: null }
}

function starting(holder: ServiceFile | null): Check {
  const who = holder === null ? 'A process' : `Process ${holder.pid}`
  return warn(
    'holder',
    `${who} holds the folder, but no service answers for it yet.`,
    'Wait a moment; if it stays so, end that process or choose another --folder.',
  )
}
