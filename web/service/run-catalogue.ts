import type { EndpointInfo, EnvironmentInfo, MethodInfo } from '../../shared/contracts/catalogue.ts'

/** What runs can be made of. */
export interface RunCatalogue {
  methods: readonly MethodInfo[]
  environments: readonly EnvironmentInfo[]
  endpoints: readonly EndpointInfo[]
}
