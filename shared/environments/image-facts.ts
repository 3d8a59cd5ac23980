export type HostNeed =
  | 'java'
  | 'chromium'
  | 'desktop programs'
  | 'desktop scoring'
  /** Packages of `requirements.txt` in the image's folder, by the names that Python imports. */
  | { readonly python: readonly string[] }

/** Size of a Fargate task: CPU units (1024 are one processor) and MiB of memory, a pair that Fargate offers. */
export interface HostSize {
  readonly cpu: number
  readonly memory: number
  readonly scratch: readonly string[]
}

/**
 * `folder` holds the entry point `{id}.ts`, and the Dockerfile if there is one. `label` names its check in `espalier
 * doctor` (default: the id). `kinds` of registered environments are also played (default: none). `slots` are sessions
 * per host (default: those of `fleetLimitsSchema`).
 */
export interface ImageFacts {
  readonly id: string
  readonly folder: string
  readonly label?: string
  readonly kinds?: readonly string[]
  readonly needs: readonly HostNeed[]
  readonly slots?: number
  readonly size?: HostSize
}

export const usualHostSize: HostSize = { cpu: 512, memory: 1024, scratch: [] }
