/** Reads keys stored outside this machine. Its errors must never hold a value. */
export interface SecretReader {
  secret(name: string): Promise<string>
  parameter(name: string): Promise<string>
}
