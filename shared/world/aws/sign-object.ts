import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'
import { contentDisposition } from '../content-disposition.ts'

/** The longest time that S3 signs for. Seconds. */
const longest = 7 * 24 * 3600

/**
 * An address that downloads an object as a file. It ends after a week at the latest, and with the credentials that signed
 * it: those of a function's role last for some hours.
 */
export async function signObject(
  client: S3Client,
  bucket: string,
  key: string,
  { expires_in, file_name }: { expires_in: number; file_name?: string },
): Promise<{ url: string; expires_at: Date }> {
  const now = new Date(Math.floor(Date.now() / 1000) * 1000)
  const seconds = Math.max(1, Math.min(longest, Math.ceil(expires_in)))
  const command = new GetObjectCommand({
    Bucket: bucket,
    Key: key,
    ResponseContentDisposition: contentDisposition({ key, file_name: file_name ?? null }),
    ResponseCacheControl: 'private, no-store',
  })
  const url = await getSignedUrl(client, command, { expiresIn: seconds, signingDate: now })
  return { url, expires_at: new Date(now.getTime() + seconds * 1000) }
}
