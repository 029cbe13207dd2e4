"""Says, by table, how much of the current version was written for it, and how much is hard links to files of earlier ones.

    night_bytes.py FOLDER
"""

import collections
import os
import sys

version = os.path.realpath(f"{sys.argv[1]}/.current")
new, linked = collections.Counter(), collections.Counter()
for folder, _, names in os.walk(version):
    for name in names:
        status = os.lstat(f"{folder}/{name}")
        table = os.path.relpath(f"{folder}/{name}", version).split("/")[0]
        (new if status.st_nlink == 1 else linked)[table] += status.st_size
print(f"{'table':16}{'new KB':>10}{'linked KB':>12}")
for table in sorted(new.keys() | linked.keys()):
    print(f"{table:16}{new[table] / 1000:10.1f}{linked[table] / 1000:12.1f}")
print(f"{'all':16}{sum(new.values()) / 1000:10.1f}{sum(linked.values()) / 1000:12.1f}")
