import { readFileSync } from 'node:fs'
import type { SiteName } from '../../../containers/sites/server/site.ts'

/** A task of the sites as its file has it. */
export interface SiteTask {
  sites: SiteName[]
  task_id: number
  split: 'train' | 'test'
  require_login: boolean
  storage_state: string | null
  start_url: string
  image: string | null
  intent_template: string
  intent: string
  intent_template_id: number
  instantiation_dict: Record<string, string | number>
  eval: { eval_types: string[]; reference_answers: { fuzzy_match?: string } | null }
}

const folder = new URL('../../../shared/environments/sites/tasks/', import.meta.url)

export const siteTasks: readonly SiteTask[] = ['shopping', 'reddit', 'classifieds'].flatMap(
  (name) => JSON.parse(readFileSync(new URL(`${name}.json`, folder), 'utf8')) as SiteTask[],
)

/** What a task fills into its intent, as texts; a field that its template does not have is an error of the test. */
export function valuesOf({ instantiation_dict }: SiteTask): Record<string, string> {
  const texts = Object.fromEntries(
    Object.entries(instantiation_dict).map(([name, value]) => [name, String(value)]),
  )
  return new Proxy(texts, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as string | undefined
      if (value === undefined) throw new Error(`The task has no value "${String(name)}"`)
      return value
    },
  })
}
