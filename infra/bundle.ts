import { bundleFunction } from './bundle-function.ts'
import type { BundleRequest } from './bundling.ts'
import { writeImageSbom } from './images/image-sbom.ts'

const request: BundleRequest = JSON.parse(process.argv[2] ?? '')
const inputs = await bundleFunction(request)
const { image, out } = request
if (image !== undefined) writeImageSbom({ id: image, inputs, context: out }, out)
