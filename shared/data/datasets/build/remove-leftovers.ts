import type { Objects } from '../../../core/world/ports.ts'
import { workPrefix } from './part-keys.ts'

export async function removeLeftovers(objects: Objects, dataset: string): Promise<void> {
  for (let more = true; more; ) {
    const page = await objects.list(workPrefix(dataset))
    await Promise.all(page.objects.map(({ key }) => objects.delete(key)))
    more = page.more
  }
}
