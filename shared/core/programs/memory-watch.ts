import { readFileSync } from 'node:fs'

const pollMilliseconds = 250
const bytesPerPage = 4096

interface Watched {
  pid: number
  limit: number
  onExceeded(used: number): void
}

const watched = new Set<Watched>()
let timer: NodeJS.Timeout | null = null

export function watchMemory(process: Watched): () => void {
  watched.add(process)
  timer ??= setInterval(look, pollMilliseconds).unref()
  return () => {
    watched.delete(process)
    if (watched.size > 0 || timer === null) return
    clearInterval(timer)
    timer = null
  }
}

function look(): void {
  for (const each of watched) {
    const used = residentOf(each.pid)
    if (used <= each.limit) continue
    watched.delete(each)
    each.onExceeded(used)
  }
}

function residentOf(pid: number): number {
  try {
    const [, pages] = readFileSync(`/proc/${pid}/statm`, 'latin1').split(' ')
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ')
    const own = Number(pages) * bytesPerPage
    return children
      .filter((child) => child !== '')
      .reduce((sum, child) => sum + residentOf(Number(child)), own)
  } catch {
    // It has ended, or this system shows no processes.
    return 0
  }
}
