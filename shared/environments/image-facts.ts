import type { RuntimeCheck } from './runtimes/missing-runtime.ts'

export type HostNeed =
  | 'java'
  | 'chromium'
  /** Packages of `requirements.txt` in the image's folder, by the names that Python imports. */
  | { readonly python: readonly string[] }
  | (() => Promise<RuntimeCheck>)

/**
 * A list of Python packages, below the image's folder. `isAlone`: installed without the packages' dependencies, because
 * the system, or another list, has these.
 */
export interface PackageList {
  readonly list: string
  readonly isAlone: boolean
}

/** Size of a Fargate task: CPU units (1024 are one processor) and MiB of memory, a pair that Fargate offers. */
export interface HostSize {
  readonly cpu: number
  readonly memory: number
  readonly scratch: readonly string[]
}

/**
 * `folder` holds the entry point `{id}.ts`, and the Dockerfile if there is one. `label` names its check in `espalier
 * doctor` (default: the id). `kinds` of registered environments are also played (default: none). `slots` are sessions
 * per host (default: those of `fleetLimitsSchema`). `here` limits hosts on this machine. On an administrator's machines
 * only `needsOnMachines` counts. `shows` is where agents act on its hosts (default: in texts).
 */
export interface ImageFacts {
  readonly id: string
  readonly folder: string
  readonly label?: string
  readonly kinds?: readonly string[]
  readonly shows?: 'pages' | 'computer'
  readonly needs: readonly HostNeed[]
  readonly needsOnMachines?: readonly HostNeed[]
  readonly lists?: readonly PackageList[]
  readonly slots?: number
  readonly size?: HostSize
  readonly here?: () => { readonly slots: number; readonly max_hosts: number }
}

export const usualHostSize: HostSize = { cpu: 512, memory: 1024, scratch: [] }
