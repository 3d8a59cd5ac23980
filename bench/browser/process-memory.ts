import { readdir, readFile } from 'node:fs/promises'

/** Bytes of memory of a process and its descendants, with shared pages counted once (PSS of Linux). */
export async function memoryOfTree(pid: number): Promise<number> {
  const own = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '')
  const kilobytes = Number(/^Pss:\s+(\d+)/m.exec(own)?.[1] ?? 0)
  const below = await Promise.all((await childrenOf(pid)).map(memoryOfTree))
  return kilobytes * 1024 + below.reduce((sum, bytes) => sum + bytes, 0)
}

async function childrenOf(pid: number): Promise<number[]> {
  const threads = await readdir(`/proc/${pid}/task`).catch(() => [])
  const lists = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/children`, 'utf8').catch(() => '')),
  )
  return lists.flatMap((list) => list.trim().split(' ').filter(Boolean).map(Number))
}
