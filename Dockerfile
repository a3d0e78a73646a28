# The app in a container; docs/deployment.md says how to start it and where its runs are kept.
FROM python:3.11-slim

# Nothing is written but /data and /tmp: the file system can be read-only (docs/deployment.md).
ENV PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1 OPENBLAS_NUM_THREADS=1 OMP_NUM_THREADS=1 DOLQ_DB=/data/runs.db

WORKDIR /app
COPY locked/container.txt locked/container.txt
# requirements.txt and the part "auth" of Streamlit, which a login needs, by version and hash (python -m tests.lock).
RUN python -m pip install --no-cache-dir --no-deps --require-hashes -r locked/container.txt
COPY . .

RUN useradd --create-home dolq && mkdir /data && chown dolq /data && chmod 700 /data
USER dolq
VOLUME /data
EXPOSE 8501

HEALTHCHECK --interval=30s --timeout=5s --start-period=60s \
    CMD ["python", "-c", "import urllib.request as r; r.urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]

# A container has a network of its own: nothing outside reaches it but through the port that is published.
CMD ["python", "-m", "streamlit", "run", "app.py", "--server.address=0.0.0.0", "--server.port=8501", "--server.headless=true"]
