import { bundleFunction } from './bundle-function.ts'
import type { BundleRequest } from './bundling.ts'

await bundleFunction(JSON.parse(process.argv[2] ?? '') as BundleRequest)
