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

export interface ImageFacts {
  readonly id: string
  /** Holds the entry point `{id}.ts`, and the Dockerfile if there is one. */
  readonly folder: string
  /** Name of its check in `espalier doctor`. @default the id */
  readonly label?: string
  /** Kinds of registered environments that it also plays. @default none */
  readonly kinds?: readonly string[]
  readonly needs: readonly HostNeed[]
  /** Sessions per host. @default those of `fleetLimitsSchema` */
  readonly slots?: number
  readonly size?: HostSize
}

export const usualHostSize: HostSize = { cpu: 512, memory: 1024, scratch: [] }
