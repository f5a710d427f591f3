export { createExportKeys, type ExportKeys, exportWallet, openExport } from './export.ts'
