/** Reads keys stored outside this machine. Its errors must never hold a value. */
export interface SecretReader {
  secret(name: string): Promise<string>
  /** The decrypted value of a parameter of AWS Systems Manager. */
  parameter(name: string): Promise<string>
}
