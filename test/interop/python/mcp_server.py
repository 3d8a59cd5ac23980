"""An MCP server on stdio by the Python SDK: a counter that is to become ten."""
from mcp.server.fastmcp import FastMCP

server = FastMCP("counter")
count = 0


@server.tool()
def add(amount: int) -> int:
    """Adds to the counter."""
    global count
    if amount > 5:
        raise ValueError("No more than 5 at once.")
    count += amount
    return count


@server.tool()
def is_ten() -> bool:
    """Says whether the counter is ten."""
    return count == 10


server.run()
