export async function* inOrder<Item, Result>(
  items: Iterable<Item>,
  atOnce: number,
  work: (item: Item) => Promise<Result>,
): AsyncGenerator<Result> {
  const running: Promise<Result>[] = []
  try {
    for (const item of items) {
      const next = work(item)
      // Prevents an unhandled rejection if a job fails before its turn.
      next.catch(() => undefined)
      running.push(next)
      if (running.length >= atOnce) yield (await running.shift()) as Result
    }
    while (running.length > 0) yield (await running.shift()) as Result
  } finally {
    await Promise.allSettled(running)
  }
}
