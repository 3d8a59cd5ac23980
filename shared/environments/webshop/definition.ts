import type { EnvironmentDefinition } from '../environment-definition.ts'
import { webshopPack } from './webshop-pack.ts'

/** Shopping: the products and goals of a pack, or generated ones. */
export const webshopDefinition: EnvironmentDefinition = {
  id: 'webshop',
  data: { origin: 'generated', about: 'a shop of 1,000 products made for Espalier, not that of WebShop' },
  pack: webshopPack,
  open: async (pack) => (await import('./webshop.ts')).openWebshop(pack),
}
