/** Width and height of a PNG, in pixels, from its first bytes: room is kept for it before it is there. */
export function pictureSize(png: Buffer): { width: number; height: number } {
  const signature = '89504e470d0a1a0a'
  if (png.subarray(0, 8).toString('hex') !== signature) throw new Error('The picture is no PNG.')
  return { width: png.readUInt32BE(16), height: png.readUInt32BE(20) }
}
