/**
 * Exports the private key of a managed wallet. It needs two packages: `npm install @hpke/core @hpke/chacha20poly1305`.
 *
 * @module
 */
export { createExportKeys, type ExportKeys, exportWallet, openExport } from './export.ts'
