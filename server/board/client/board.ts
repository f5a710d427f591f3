/* What pages of the board do beyond being read. Without this script everything on them can be read, filtered and paged. */
import { addCopyButtons } from './copy.ts'
import { openDesk } from './desk.ts'
import { followTimeline } from './live.ts'
import { addAges } from './times.ts'

const timeline = document.querySelector<HTMLElement>('[data-live]')
const desk = document.getElementById('desk')
addCopyButtons(document)
addAges(document)
if (timeline) followTimeline(timeline)
if (desk) openDesk(desk)
