/**
 * The header that makes a browser save a download as a file. It contains the name twice: in ASCII for old clients,
 * and unchanged.
 */
export function contentDisposition({ key, file_name }: { key: string; file_name: string | null }): string {
  const name = file_name ?? key.split('/').at(-1) ?? 'file'
  const plain = name.replaceAll(/[^\w.,+= -]/g, '_')
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16)}`,
  )
  return `attachment; filename="${plain}"; filename*=UTF-8''${encoded}`
}
