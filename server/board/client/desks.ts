/* What pages load in place of `board.ts` on which people act with their key. */
import { addCopyButtons } from './copy.ts'
import { openDesk } from './desk.ts'
import { openStart } from './start.ts'

const [desk, start] = ['desk', 'start'].map((id) => document.getElementById(id))
addCopyButtons(document)
if (desk) openDesk(desk)
if (start) openStart(start)
