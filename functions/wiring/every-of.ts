import type { List, ListQuery } from '../../shared/core/contracts/list.ts'

const pageSize = 200

export async function* everyOf<Item>(list: (query: ListQuery) => Promise<List<Item>>): AsyncGenerator<Item> {
  let page = await list({ limit: pageSize })
  for (;;) {
    yield* page.data
    if (!page.has_more || page.last_id === null) return
    page = await list({ limit: pageSize, after: page.last_id })
  }
}
