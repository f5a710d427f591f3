/** As much of Express as its peer uses; its own types would be installed in production, as tRPC's optional peer. */
declare module 'express' {
  interface Request {
    params: { id: string }
    query: Record<string, string | undefined>
  }
  interface Response {
    status(status: number): Response
    json(body: unknown): void
  }
  interface Application {
    get(path: string, handler: (request: Request, response: Response) => void | Promise<void>): void
    listen(port: number, host: string): void
  }
  export default function express(): Application
}
