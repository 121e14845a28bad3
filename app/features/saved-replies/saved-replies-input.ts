/** What the forms about saved replies may contain. */
import { z } from 'zod'
import { MAX_REPLY, MAX_TITLE } from './saved-reply.ts'

const reply = {
  title: z.string().trim().min(1, 'Please give the reply a name').max(MAX_TITLE, `Please keep the name under ${MAX_TITLE} characters`),
  text: z
    .string()
    .trim()
    .min(1, 'Please write the reply')
    .max(MAX_REPLY, `Please keep the reply under ${MAX_REPLY.toLocaleString('en-US')} characters`),
}

export const ReplyInput = z.object(reply)
export type ReplyInput = z.infer<typeof ReplyInput>
