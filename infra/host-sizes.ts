/** What a Fargate task has: CPU units (1024 are one processor) and MiB of memory, in one of the pairs that Fargate offers. */
export interface HostSize {
  cpu: number
  memory: number
  /** Whether its programs need a folder to write to: /tmp, which goes with the task. */
  scratch: boolean
}

const usual: HostSize = { cpu: 512, memory: 1024, scratch: false }

/** Of images that need more than the usual: each session of a simulator is a process of its own, and one of ScienceWorld is a JVM. */
const sizes: Readonly<Record<string, HostSize>> = {
  scienceworld: { cpu: 1024, memory: 4096, scratch: true },
  'alfworld-textworld': { cpu: 1024, memory: 4096, scratch: true },
}

export function hostSize(image: string): HostSize {
  return sizes[image] ?? usual
}
