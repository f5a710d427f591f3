/* What pages of the board do beyond being read. Without this script everything on them can be read, filtered and paged. */
import { addCopyButtons } from './copy.ts'
import { addKeys } from './keys.ts'
import { followTimeline } from './live.ts'
import { addAges } from './times.ts'

const timeline = document.querySelector<HTMLElement>('[data-live]')
addCopyButtons(document)
addAges(document)
addKeys()
if (timeline) followTimeline(timeline)
