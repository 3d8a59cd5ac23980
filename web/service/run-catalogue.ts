import type { EndpointInfo, EnvironmentInfo, MethodInfo } from '../../shared/core/contracts/catalogue.ts'

export interface RunCatalogue {
  methods: readonly MethodInfo[]
  environments: readonly EnvironmentInfo[]
  endpoints: readonly EndpointInfo[]
}
