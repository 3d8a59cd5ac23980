import type { PackFormat } from '../data-pack.ts'

export const humanFile = 'items_human_ins.json'
const mirror = 'https://huggingface.co/datasets/YWZBrandon/webshop-data/resolve/main'

/**
 * WebShop's public files as a data pack: the products with the fields that the shop needs, and the precomputed goals,
 * so that tasks are listed without the products.
 *
 * A file `webshop.json` in the folder may set `goals` (`human` or `synthetic`) and `compatibility` (`espalier` or
 * `original`, the default: data of the original is scored as the original scores it). Without it the goals are human
 * if `items_human_ins.json` stands beside the whole catalogue, as in the paper and in ETO. Otherwise they are
 * synthetic, as in AgentGym's shop of 1,000 products.
 */
export const webshopPackFormat: PackFormat = {
  description:
    'items_shuffle.json or items_shuffle_1000.json, with the items_ins_v2 file that belongs to it; items_human_ins.json for human goals; webshop.json for settings',
  data: { origin: 'original', about: 'products and goals of WebShop' },
  downloads: [
    download('items_shuffle_1000.json', '30a4765c3a327af72d9a9a95a6b2486d516f0fa1d3ecd83681901ce82a21b269'),
    download('items_ins_v2_1000.json', 'f88a36314a397b53b3d9c3fa5878e5f7b26d35019a51ec83fbedeca61a948f6f'),
    download(humanFile, 'cf78667548a71786e1d9049c24b802e48e1084ad4bb021cae56ce1f6d96954a3'),
  ],
  async *collect(source) {
    yield* (await import('./webshop-pack.ts')).collectWebshop(source)
  },
}

function download(name: string, sha256: string) {
  return { name, url: `${mirror}/${name}`, sha256 }
}
